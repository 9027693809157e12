"""Benchmarks: real worker processes on the real disk, each figure beside one durable commit of the same run."""
