import { printDeclarations } from './print.ts'

/** Stands for `virtual:declarations` in tests, without the files that the console loads on demand. */
export const { index } = printDeclarations()
export const load = {}
