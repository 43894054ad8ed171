import { type Drawing, type Paper, usualPaper } from '@liquidity-os/drawing'
import { drawAnswers } from './answers.ts'
import type { Drawn } from './drawn.ts'
import { drawConsent, drawOffers } from './scope-grid.ts'

export default (drawn: Drawn, paper: Paper = usualPaper): Drawing[] => {
  if ('consent' in drawn) return [drawConsent(drawn.status, drawn.consent, paper)]
  if ('partner' in drawn) return [drawOffers(drawn.status, drawn.partner, paper)]
  return [drawAnswers(drawn.domain, paper)]
}
