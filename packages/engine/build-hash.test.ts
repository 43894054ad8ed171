import { expect, it } from 'vitest'
import { lastParityRun, marketSourceHash, marketSources } from './build-hash.ts'

it('keeps a parity run of these very market mathematics: after a change of them, run `npm run parity`', () => {
  expect(lastParityRun()).toMatchObject({ marketSourceHash: marketSourceHash(), divergences: 0 })
  expect(lastParityRun()!.sequences).toBeGreaterThanOrEqual(10_000)
})

it('counts as market mathematics every pool, the compiled swaps and what compares them, with all that they import', () => {
  const names = marketSources().map((file) => file.split('/src/')[1])
  for (const name of [
    ...['amm/v2/pair.ts', 'amm/v3/pool.ts', 'amm/v3/fast/generated/clmm-module.ts'],
    ...['amm/stableswap/invariant.ts', 'arithmetic/integer.ts', 'parity/apply-v3.ts'],
  ]) {
    expect(names).toContain(name)
  }
  expect(names.filter((name) => name?.endsWith('.test.ts') || name?.startsWith('stress'))).toEqual(
    [],
  )
})
