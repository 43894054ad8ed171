import { describe, expect, it } from 'vitest'
import { parseEvidence } from './evidence-file.ts'

const batch = {
  source: 'PUBLIC_BOOK',
  venueKey: 'kraken',
  samples: [
    { at: '2026-11-28T00:00:00Z', bids: [], asks: [] },
    { at: '2026-11-28T00:10:00Z', bids: [], asks: [] },
  ],
}

describe('a file with evidence', () => {
  it('is a batch, or the request that contains it', () => {
    const found = { batch, from: batch.samples[0]?.at, to: batch.samples[1]?.at }
    expect(parseEvidence('a.json', JSON.stringify(batch))).toEqual({ name: 'a.json', ...found })
    const request = { payload: batch, reason: 'Our collector' }
    expect(parseEvidence('b.json', JSON.stringify(request))).toEqual({ name: 'b.json', ...found })
  })

  it.each([
    ['at,price', 'a.json is not JSON.'],
    ['[]', 'a.json has no list of samples.'],
    ['{"samples":[]}', 'a.json has no samples.'],
    ['{"samples":[{"at":"noon"}]}', 'a.json has samples without a time.'],
  ])('is refused with its reason: %s', (text, reason) => {
    expect(() => parseEvidence('a.json', text)).toThrow(reason)
  })
})
