/** Solver and its settings; part of the evidence. */
export const solverVersion = 'highs 1.15.3 (WebAssembly, 1 thread, seed 0, simplex)'
