import {
  extensionOperations,
  type OperationOutline,
  operations,
} from '@liquidity-os/contract/outline'
import type { Handler } from './handler.ts'
import type { RequestValidators } from './validators.ts'

/** An operation with its handler, loaded at the first request. */
export interface Bound {
  operation: OperationOutline
  handler: () => Promise<Handler>
  validators: () => Promise<RequestValidators>
  /**
   * Path parameter of the record that the operation only reads, so the opening query can include
   * it.
   */
  readsRecordOf: string | null
}

/** Loads the handler of an operation by operation id. */
export type Handlers = Readonly<Record<string, LoadHandler>>
type LoadHandler = () => Promise<{ default: Handler }>

/** Every operation has a handler, and every handler an operation. */
export function assertBound(handlers: Handlers): void {
  const all = [...operations, ...extensionOperations]
  const ids = new Set(all.map(({ id }) => id))
  for (const id of ids) {
    if (!(id in handlers)) throw new Error(`${id} has no handler.`)
  }
  for (const id of Object.keys(handlers)) {
    if (!ids.has(id)) throw new Error(`The handler ${id} has no operation.`)
  }
}

/** Loads and caches handler and validators on the first request. */
export function bind(operation: OperationOutline, load: LoadHandler): Bound {
  let handler: Promise<Handler> | null = null
  let validators: Promise<RequestValidators> | null = null
  return {
    operation,
    handler: () => {
      handler ??= load().then((module) => module.default)
      return handler
    },
    validators: () => {
      validators ??= import('./validators.ts').then(({ validatorsOf }) =>
        validatorsOf(operation.id),
      )
      return validators
    },
    readsRecordOf:
      operation.method === 'GET' && operation.answer.etag && operation.path.endsWith('/{id}')
        ? 'id'
        : null,
  }
}
