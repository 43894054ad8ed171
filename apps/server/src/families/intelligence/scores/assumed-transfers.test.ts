import { expect, it } from 'vitest'
import { assumedTransfersGap } from './assumed-transfers.ts'

const observation = (...codes: string[]) => {
  const assumptions = codes.map((code) => ({ code, value: 'NOT_PROVEN', source: 'DEFAULT' }))
  return { payload: { evidence: { assumptions } } } as never
}

it('states how many observations assume exact token transfers', () => {
  expect(assumedTransfersGap('venue_1', [observation(), observation('GAS')])).toEqual([])
  const some = [observation('TOKEN_TRANSFERS'), observation(), observation('TOKEN_TRANSFERS')]
  expect(assumedTransfersGap('venue_1', some)).toEqual([
    {
      code: 'TOKEN_TRANSFERS_NOT_READ',
      detail: expect.stringContaining('2 of 3 observations'),
      venueId: 'venue_1',
    },
  ])
})
