// @module-tag long

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { compileEstimator } from '../bin/build-monte-carlo.ts'
import { compilePaths } from '../bin/build-paths.ts'
import { compileModule } from '../bin/build-wasm.ts'

// In the long tier because it installs the compiler.
test.each([
  ['amm/v3/fast/generated/clmm-module.ts', compileModule],
  ['montecarlo/compiled/generated/paths-module.ts', compilePaths],
  ['montecarlo/estimator/generated/estimator-module.ts', compileEstimator],
])('the sources compile to the committed %s', (path, compile) => {
  const committed = readFileSync(new URL(`../src/${path}`, import.meta.url), 'utf8')
  // Compared as a whole, because no reader needs the difference between two binaries.
  expect(compile() === committed).toBe(true)
})
