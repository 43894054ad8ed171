import { H, type Hash } from './hash.ts'

/** Identifies an organization in public statements without disclosing its id. */
export const organizationHash = (organizationId: string): Hash =>
  H('organization/v1', { organizationId })
