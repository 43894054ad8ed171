import Type, { type TSchema } from 'typebox'
import type { ErrorCode } from './errors.ts'
import type { Permission } from './identity.ts'
import type { Operation } from './operation.ts'
import { oneOf, Timestamp } from './scalars.ts'

/**
 * What anybody may know of a family: data, no behaviour. The server reads it, and whoever renders lists, forms and
 * buttons. Several declarations may share a room, where one family keeps records of several kinds.
 */
export interface Family {
  /** Group and name of its room in the server, the console and the docs: `intelligence/venues`. */
  readonly room: string
  /** The operations that lie in this room. */
  readonly operations: readonly Operation[]
  /** Page in the console; a family without it has no page. */
  readonly ui?: FamilyUi
}

/** The groups of the console, in the order in which it shows them. */
export const uiGroups = ['Market', 'Plan', 'Treasury', 'Operate', 'Prove', 'Settings'] as const

/** Page of a family in the console: texts and columns. */
export interface FamilyUi {
  readonly group: (typeof uiGroups)[number]
  /** Title of the page: `Venues`. */
  readonly task: string
  /** Name of the icon. */
  readonly icon: string
  /** One sentence below the title: what the user does or finds here. */
  readonly summary: string
  /** How records get here: one sentence in an empty list. */
  readonly empty?: string
  /** Members that a list shows of what is no versioned record, in order. */
  readonly columns?: readonly string[]
  /** Member that names one of what is no versioned record. */
  readonly title?: string
  /** Paths of the figures that stand at the head of one record, in order; of each at most the first that is there. */
  readonly head?: readonly string[]
  /** By the name of an operation: what its button says, and the states in which it can be asked for. */
  readonly actions?: Readonly<Record<string, UiAction>>
  /** Name of the page below `docs/` that explains it. */
  readonly docs?: string
}

export interface UiAction {
  readonly label: string
  /** States in which it makes sense; any that is not final where absent. */
  readonly when?: readonly string[]
  /**
   * What must be read before it is asked for: an operation on the same record, and members of its answer that the request
   * names as they were shown.
   */
  readonly shows?: { readonly operation: string; readonly binds: readonly string[] }
}

/** The lifecycle of one kind of versioned record. */
export interface Lifecycle {
  /** Name of the kind, as `resourceType` says it. */
  readonly type: string
  /** What ids begin with, without the underscore. */
  readonly prefix: string
  /** What one is called in a sentence, and many. */
  readonly name: string
  readonly plural: string
  readonly payload: TSchema
  /**
   * Where a record may go from each state; a version that keeps its state is a move to itself. A state that leads
   * nowhere is final.
   */
  readonly moves: Readonly<Record<string, readonly string[]>>
  /** What the actor's role must allow for a move to a state, beyond what the operation needs. */
  readonly needs?: Readonly<Record<string, Permission>>
  readonly refusals?: {
    /** A record in a final state is to change. */
    readonly terminal?: ErrorCode
    /** The state that is asked for cannot be reached from the present one. */
    readonly move?: ErrorCode
    /** A name that must be unique belongs to another record. */
    readonly taken?: ErrorCode
  }
  /** Kinds of events that records of this kind have: what may be subscribed to. */
  readonly events: readonly string[]
  /** Path of the member that names a record to people; null where nothing but the id does. */
  readonly title: string | null
  /** Members that a list shows, in order. */
  readonly columns: readonly string[]
  /** Path of the id of the record that one is about; lists filter by it as `subject`. */
  readonly subject?: string
}

/** A family whose records are versioned. */
export interface RecordFamily extends Family, Lifecycle {}

/** Declares a family; literal types are kept. */
export function declareFamily<const F extends Family & Partial<Lifecycle>>(declared: F): F {
  return declared
}

/** States of a kind of record, in the order of its moves. */
export function statesOf({ moves }: Pick<Lifecycle, 'moves'>): string[] {
  return [...new Set([...Object.keys(moves), ...Object.values(moves).flat()])]
}

/** Whether nothing follows a state. */
export function isFinal({ moves }: Pick<Lifecycle, 'moves'>, state: string): boolean {
  return (moves[state] ?? []).length === 0
}

/**
 * What a list of records may be asked for beside its page: `createdFrom` takes in its time, `createdBefore` does not. A
 * cursor goes on with the same filter and order.
 *
 * @param moves of the kind: its states are those that may be asked for
 */
export function recordQuery(moves: Lifecycle['moves']) {
  return {
    status: Type.Optional(oneOf(statesOf({ moves }), 'Records that are in this state now.')),
    createdFrom: Type.Optional(Timestamp),
    createdBefore: Type.Optional(Timestamp),
    order: Type.Optional(
      oneOf(['NEWEST', 'OLDEST'], 'Order by creation time. Default: newest first.'),
    ),
  }
}

/** The same for records that are about another one. */
export function recordQueryOf(moves: Lifecycle['moves'], about: string) {
  const description = `Id of ${about}: records that are about it.`
  return {
    ...recordQuery(moves),
    subject: Type.Optional(Type.String({ minLength: 1, maxLength: 160, description })),
  }
}
