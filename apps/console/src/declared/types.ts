import type { ConsoleArea } from '@liquidity-os/contract'

/** A JSON schema as the contract prints it; named schemas are in `defs` of their file. */
export interface Schema {
  $ref?: string
  type?: string
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  additionalProperties?: boolean | Schema
  description?: string
  examples?: unknown[]
  default?: unknown
  format?: string
  pattern?: string
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
}

/** Family data that the shell has before the page opens. */
export interface FamilyEntry {
  /** Path of its list below the base path, without the first slash. */
  key: string
  type?: string
  prefix?: string
  one: string
  many: string
  /** Area and tab that list its records: `plan/capital`. */
  page: string
  task: string
  icon: string
  summary: string
  title: string | null
  permission: string
  /** Names of the operations that create a record, and of the operations on an existing record. */
  creates: readonly string[]
  changes: readonly string[]
  isListed: boolean
}

export interface OperationFile {
  id: string
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  path: string
  summary: string
  description: string
  permission?: string
  idempotency?: 'key-160' | 'printable-200'
  precondition?: 'required' | 'optional'
  reauthentication?: string
  bodyType?: 'application/json' | 'application/x-www-form-urlencoded'
  maximumLimit?: number
  params: Record<string, Schema>
  query: Record<string, Schema>
  body: Schema | null
  wrap: string
  example?: { body?: unknown }
}

/** Contract data for the pages of one family. */
export interface FamilyFile {
  entry: FamilyEntry
  /** True if its items are versioned records in their envelope. */
  isRecord: boolean
  operations: Record<string, OperationFile>
  list: string | null
  get: string | null
  /** Operations that create a record, that act on an existing one, and other reads. */
  creates: string[]
  changes: string[]
  reads: string[]
  columns: readonly string[]
  head: readonly string[]
  /** Guidance for an empty list: how to create records. */
  empty: string | null
  actions: Readonly<
    Record<
      string,
      {
        label: string
        when?: readonly string[]
      }
    >
  >
  moves: Readonly<Record<string, readonly string[]>> | null
  needs: Readonly<Record<string, string>>
  events: readonly string[]
  subject: string | null
  /** Module that renders charts of these records in the service, or null. */
  drawnIn: string | null
  item: Schema | null
  defs: Record<string, Schema>
}

export interface ConsoleIndex {
  basePath: string
  areas: readonly ConsoleArea[]
  permissionsOf: Readonly<Record<string, readonly string[]>>
  families: FamilyEntry[]
}
