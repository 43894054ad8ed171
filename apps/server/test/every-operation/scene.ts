import type { TestChain } from '../support/chain.ts'
import type { TestMember, TestService } from '../support/service.ts'

/** Setup of a scene: request data, and bodies that together contain every member of the schema. */
export interface Staged {
  /** Who asks; the owner where it is left out. */
  readonly by?: TestMember
  /** The record of an organization that is shared, where only what happens to it is looked at. */
  readonly subject?: string
  readonly request?: { params?: Record<string, string>; ifMatch?: string }
  readonly bodies: readonly object[]
  /** Members of responses, records and events that only echo the request. */
  readonly echoes?: readonly string[]
}

/** Sets up the subject of an operation in an otherwise empty organization. */
export type Scene = (owner: TestMember, test: TestChain, service: TestService) => Promise<Staged>
