import { H, type Hash } from './hash.ts'

/** By which statements name an organization without telling its id. */
export const organizationHash = (organizationId: string): Hash =>
  H('organization/v1', { organizationId })
