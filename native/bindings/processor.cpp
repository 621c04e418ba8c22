// honte._processor: which builds of the native core this processor can run.
//
// A separate module, compiled for the baseline processor and without nanobind: it is loaded first.
#include <Python.h>

#include "core/processor.hpp"

namespace {

PyObject* levels(PyObject*, PyObject*) {
    const auto found = honte::Processor().levels();
    PyObject* names = PyTuple_New(static_cast<Py_ssize_t>(found.size()));
    if (!names) return nullptr;
    for (size_t i = 0; i < found.size(); ++i) {
        PyObject* name =
            PyUnicode_FromStringAndSize(found[i].data(), static_cast<Py_ssize_t>(found[i].size()));
        if (!name || PyTuple_SetItem(names, static_cast<Py_ssize_t>(i), name) < 0) {
            Py_DECREF(names);
            return nullptr;
        }
    }
    return names;
}

PyMethodDef methods[] = {
    {"levels", levels, METH_NOARGS, "The levels that this processor runs, the fastest first."},
    {nullptr, nullptr, 0, nullptr}};

PyModuleDef definition = {PyModuleDef_HEAD_INIT,
                          "_processor",
                          "What this processor can run.",
                          -1,
                          methods,
                          nullptr,
                          nullptr,
                          nullptr,
                          nullptr};

}  // namespace

PyMODINIT_FUNC PyInit__processor() { return PyModule_Create(&definition); }
