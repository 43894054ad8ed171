import { expect, it } from 'vitest'
import { engineBuildHash, lastParityRun } from './build-hash.ts'

it('keeps a parity run of this very source: after a change of the engine, run `npm run parity`', () => {
  expect(lastParityRun()).toMatchObject({ engineBuildHash: engineBuildHash(), divergences: 0 })
  expect(lastParityRun()!.sequences).toBeGreaterThanOrEqual(10_000)
})
