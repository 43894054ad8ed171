import type { Drawing } from '@liquidity-os/drawing'
import { drawAnswers } from './answers.ts'
import type { Drawn } from './drawn.ts'
import { drawConsent, drawOffers } from './scope-grid.ts'

export default (drawn: Drawn): Drawing[] => {
  if ('consent' in drawn) return [drawConsent(drawn.status, drawn.consent)]
  if ('partner' in drawn) return [drawOffers(drawn.status, drawn.partner)]
  return [drawAnswers(drawn.domain)]
}
