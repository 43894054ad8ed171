import { expect, it } from 'vitest'
import { positionSentences, resultReason, stateReason } from './liquidity-reasons.ts'

it('explains a missing result by the reason of the result, and other figures by theirs', () => {
  const both = ['POSITION_FEES_NOT_OBSERVED', 'RESULTS_NEED_WALLET_POSITION'] as const
  expect(resultReason(both)).toBe(positionSentences.RESULTS_NEED_WALLET_POSITION)
  expect(stateReason(both)).toBe(positionSentences.POSITION_FEES_NOT_OBSERVED)
  // A burned token has no result either.
  expect(resultReason(['POSITION_BURNT'])).toBe(positionSentences.POSITION_BURNT)
  expect(stateReason(['HISTORY_LIMIT_REACHED'])).toBeUndefined()
})
