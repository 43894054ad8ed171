import type { contract } from '@liquidity-os/contract'
import { type Material, requestOf } from '../judged/documents.ts'

/** What was asked, as it is sealed with what was captured: no moment, since nothing is read but what was frozen before. */
export interface AskedProject {
  readonly rules: { readonly rulesVersion: 'public-project-rules-v1' }
  readonly requestVersion: 'public-project-request-v1'
  readonly subject: contract.ProjectSubject
  readonly question: string | null
}

export const askedOf = (material: Material): AskedProject =>
  requestOf<AskedProject>(material, 'public-project-rules-v1')
