"""Pictures of a position and of a game, to share."""

from __future__ import annotations

import struct
from pathlib import Path
from xml.etree import ElementTree

import pytest
from playwright.sync_api import expect

from tests.web.browser.user import User

SVG = "{http://www.w3.org/2000/svg}"


def saved(user: User, form: str) -> bytes:
    with user.page.expect_download() as found:
        user.click(f"picture-{form}")
    assert found.value.suggested_filename.endswith(f".{form}")
    return Path(found.value.path()).read_bytes()


@pytest.mark.parametrize(
    ("spec", "moves"),
    [
        ("connect4", "4,4,3"),
        pytest.param("othello", "f5,d6,c3", marks=pytest.mark.long),
        pytest.param("go:size=9", "D4,F6,pass", marks=pytest.mark.long),
    ],
)
def test_a_position_is_shared_as_a_picture_that_stands_alone(
    user: User, spec: str, moves: str
) -> None:
    user.resume(spec, moves=moves)
    user.wait_for_ply(3)
    stones = user.stones.count()
    user.click("share")
    text = saved(user, "svg").decode()
    picture = ElementTree.fromstring(text)
    assert max(int(picture.attrib["width"]), int(picture.attrib["height"])) == 1200
    for word in ("class=", "style=", "light-dark", "var(", "script", "role="):
        assert word not in text
    discs = [
        circle for circle in picture.iter(f"{SVG}circle") if "url('#g-" in circle.get("fill", "")
    ]
    assert len(discs) == stones
    defined = {node.get("id") for node in picture.iter() if node.get("id")}
    assert {f"g-{colour}" for colour in ("red", "white", "wood", "felt")} <= defined
    png = saved(user, "png")
    assert png.startswith(b"\x89PNG")
    assert max(struct.unpack(">II", png[16:24])) == 1200


def frames(data: bytes) -> list[tuple[int, int, int, int, int]]:
    """The frames of a GIF: its delay and its place on the picture; every block is walked over."""
    assert data[:6] == b"GIF89a"
    at, found, delay = 13 + 768, [], 0
    while data[at] != 0x3B:
        if data[at] == 0x21:
            if data[at + 1] == 0xF9:
                (delay,) = struct.unpack("<H", data[at + 4 : at + 6])
            at += 2
        else:
            assert data[at] == 0x2C
            found.append((delay, *struct.unpack("<HHHH", data[at + 1 : at + 9])))
            at += 11
        while data[at]:
            at += data[at] + 1
        at += 1
    assert at == len(data) - 1
    return found


@pytest.mark.long
def test_a_game_is_shared_as_a_moving_picture(user: User) -> None:
    user.resume("connect4", moves="4,4,3,3,5,5,6")
    user.click("share")
    data = saved(user, "gif")
    width, height = struct.unpack("<HH", data[6:10])
    assert max(width, height) == 480
    found = frames(data)
    assert len(found) == 8
    assert found[0] == (70, 0, 0, width, height)
    assert found[-1][0] == 300
    for _, left, top, wide, high in found[1:-1]:  # the new piece and the mark that moved
        assert wide * high < width * height / 3
        assert left + wide <= width
        assert top + high <= height
    assert len(data) < 300_000
    expect(user.page.locator("#picture-gif")).to_have_text("GIF of the game")
    # Chromium reads it back.
    script = """async (bytes) => {
        const data = new Uint8Array(bytes);
        const decoder = new ImageDecoder({ data, type: "image/gif" });
        const { image } = await decoder.decode({ frameIndex: 7 });
        return [image.displayWidth, image.displayHeight, decoder.tracks.selectedTrack.frameCount];
    }"""
    assert user.page.evaluate(script, list(data)) == [width, height, 8]
