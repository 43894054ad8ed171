import Type, { type TSchema } from 'typebox'
import type { ConsolePage } from './console-areas.ts'
import type { ErrorCode } from './errors.ts'
import type { Permission } from './identity.ts'
import type { Operation } from './operation.ts'
import { oneOf, Timestamp } from './scalars.ts'

/**
 * Public description of a family: data without behavior. The server uses it, and so do renderers of
 * lists, forms and buttons. Several declarations may share a `module` if one family has several
 * record types.
 */
export interface Family {
  /** Group and folder name of the family in server, console and docs: `intelligence/venues`. */
  readonly module: string
  readonly operations: readonly Operation[]
  /** Page in the console; a family without it has no page. */
  readonly ui?: FamilyUi
}

/** Page of a family in the console: texts and columns. */
export interface FamilyUi {
  /** Area and tab that list its records: `plan/capital`. */
  readonly page: ConsolePage
  /** Title of the page: `Venues`. */
  readonly task: string
  /** Singular and plural of a record in the console; default: `name` and `plural`. */
  readonly noun?: readonly [string, string]
  /** Name of the icon. */
  readonly icon: string
  /** Summary below the title: user actions or page contents, in one sentence. */
  readonly summary: string
  /** How to create records: one sentence in an empty list. */
  readonly empty?: string
  /** List columns of unversioned rows, in order. */
  readonly columns?: readonly string[]
  /** Member with the name of an unversioned row. */
  readonly title?: string
  /** Paths of the key figures at the top of a record page, in order; absent ones are omitted. */
  readonly head?: readonly string[]
  /** By operation name: button label and the states that allow it. */
  readonly actions?: Readonly<Record<string, UiAction>>
  /** Name of the page below `docs/` that explains it. */
  readonly docs?: string
}

export interface UiAction {
  readonly label: string
  /** Applicable states; default: any that is not final. */
  readonly when?: readonly string[]
}

/** The lifecycle of one kind of versioned record. */
export interface Lifecycle {
  /** Type name, as in `resourceType`. */
  readonly type: string
  /** Prefix of ids, without the underscore. */
  readonly prefix: string
  /** Singular name in a sentence; `plural` is the plural. */
  readonly name: string
  readonly plural: string
  readonly payload: TSchema
  /**
   * Allowed transitions by state; a version that retains its state is a self-transition. A state
   * without transitions is final.
   */
  readonly moves: Readonly<Record<string, readonly string[]>>
  /**
   * Permission that the actor's role needs for a transition to a state, in addition to that of the
   * operation.
   */
  readonly needs?: Readonly<Record<string, Permission>>
  readonly refusals?: {
    /** Error code for a change of a record in a final state. */
    readonly terminal?: ErrorCode
    /** Error code for a state that is unreachable from the current one. */
    readonly move?: ErrorCode
    /** A name that must be unique belongs to another record. */
    readonly taken?: ErrorCode
  }
  /** Event kinds of records of this type; subscriptions can select them. */
  readonly events: readonly string[]
  /** Path of the member with the display name; null if only the ID identifies a record. */
  readonly title: string | null
  /** Members that a list shows, in order. */
  readonly columns: readonly string[]
  /** Path of the subject's id; lists filter by it as `subject`. */
  readonly subject?: string
}

/** A family whose records are versioned. */
export interface RecordFamily extends Family, Lifecycle {}

export function declareFamily<const F extends Family & Partial<Lifecycle>>(declared: F): F {
  return declared
}

/** States of a kind of record, in the order of `moves`. */
export function statesOf({ moves }: Pick<Lifecycle, 'moves'>): string[] {
  return [...new Set([...Object.keys(moves), ...Object.values(moves).flat()])]
}

/** True if no state can follow. */
export function isFinal({ moves }: Pick<Lifecycle, 'moves'>, state: string): boolean {
  return (moves[state] ?? []).length === 0
}

/**
 * Filters of a record list in addition to paging. `createdFrom` is inclusive, `createdBefore`
 * exclusive. A cursor is valid only with the same filter and order.
 *
 * @param moves of the type: its states are the accepted filters
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

/** The same for records with a subject. */
export function recordQueryOf(moves: Lifecycle['moves'], about: string) {
  const description = `Id of ${about}: records that are about it.`
  return {
    ...recordQuery(moves),
    subject: Type.Optional(Type.String({ minLength: 1, maxLength: 160, description })),
  }
}
