import { expect, it } from 'vitest'
import { seedOfInputs, treasuryComputation } from './treasury-computation.ts'

it('has another hash, and draws by another seed, where anything that decides the figures is another', () => {
  const inputs = { request: {}, snapshot: null }
  const decided = [
    undefined,
    { asOf: 1, openings: ['5'] },
    { asOf: 2, openings: ['5'] },
    { asOf: 1, openings: ['6'] },
  ].map((decidedBy) => ({ ...inputs, ...(decidedBy ? { decidedBy } : {}) }))
  const hashes = decided.map((one) => treasuryComputation(one).inputsHash)
  expect(new Set(hashes).size).toBe(4)
  expect(new Set(decided.map(seedOfInputs)).size).toBe(4)
  expect(treasuryComputation(decided[1]!).inputsHash).toBe(hashes[1])
})
