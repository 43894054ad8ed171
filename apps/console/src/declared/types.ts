/** A JSON schema as the contract prints it; named ones stand in `defs` of their file. */
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

/** What the shell knows of a family before its page is opened. */
export interface FamilyEntry {
  /** Path of its list below the base path, without the first slash. */
  key: string
  type?: string
  prefix?: string
  one: string
  many: string
  group: 'Market' | 'Plan' | 'Treasury' | 'Operate' | 'Prove' | 'Settings'
  task: string
  icon: string
  summary: string
  title: string | null
  permission: string
  /** Names of the operations that begin one, and of those that are asked of one. */
  begins: readonly string[]
  asked: readonly string[]
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

/** All that the pages of one family need of the contract. */
export interface FamilyFile {
  entry: FamilyEntry
  /** Whether its items are versioned records in their envelope. */
  isRecord: boolean
  operations: Record<string, OperationFile>
  list: string | null
  get: string | null
  /** What begins something, what is asked of one that is there, and what else is read of it. */
  creates: string[]
  changes: string[]
  reads: string[]
  columns: readonly string[]
  head: readonly string[]
  /** How records get into an empty list. */
  empty: string | null
  actions: Readonly<
    Record<
      string,
      {
        label: string
        when?: readonly string[]
        shows?: { operation: string; binds: readonly string[] }
      }
    >
  >
  moves: Readonly<Record<string, readonly string[]>> | null
  needs: Readonly<Record<string, string>>
  events: readonly string[]
  subject: string | null
  /** The room in which the service draws them; null where it draws none. */
  drawnIn: string | null
  item: Schema | null
  defs: Record<string, Schema>
}

export interface ConsoleIndex {
  basePath: string
  groups: readonly string[]
  permissionsOf: Readonly<Record<string, readonly string[]>>
  families: FamilyEntry[]
}
