import type { contract } from '@liquidity-os/contract'
import { type Material, requestOf } from '../assessed/documents.ts'

/**
 * The request, sealed with the captured data. It has no moment, because all inputs were already
 * frozen.
 */
export interface ProjectRequest {
  readonly rules: { readonly rulesVersion: 'public-project-rules-v1' }
  readonly requestVersion: 'public-project-request-v1'
  readonly subject: contract.ProjectSubject
  readonly question: string | null
}

export const projectRequestOf = (material: Material): ProjectRequest =>
  requestOf<ProjectRequest>(material, 'public-project-rules-v1')
