import type { TestChain } from '../support/chain.ts'
import type { TestMember, TestService } from '../support/service.ts'

/** What the request of a scene names, and bodies that together hold every member of its schema. */
export interface Staged {
  /** Who asks; the owner where it is left out. */
  readonly by?: TestMember
  /** The record of an organization that is shared, where only what happens to it is looked at. */
  readonly subject?: string
  readonly request?: { params?: Record<string, string>; ifMatch?: string }
  readonly bodies: readonly object[]
  /** Members of the answer, of records and of events that only repeat the request, which tell nothing. */
  readonly echoes?: readonly string[]
}

/** Sets up what an operation acts on, in an organization where nothing else happened. */
export type Scene = (owner: TestMember, test: TestChain, service: TestService) => Promise<Staged>
