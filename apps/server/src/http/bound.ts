import { besideOperations, type OperationOutline, operations } from '@liquidity-os/contract/outline'
import { Failure } from '../failure.ts'
import type { Handler } from './handler.ts'
import type { RequestValidators } from './validators.ts'

/** An operation with what serves it, loaded at the first request. */
export interface Bound {
  operation: OperationOutline
  handler: () => Promise<Handler>
  validators: () => Promise<RequestValidators>
  /** Name of the path parameter whose record the operation only reads, so that it comes with the opening. */
  readsRecordOf: string | null
}

/** What loads the handler of an operation, by its id. */
export type Handlers = Readonly<Record<string, LoadHandler>>
type LoadHandler = () => Promise<{ default: Handler }>

/** Every operation has a handler or stands in the list of those to come, and none has both. */
export function assertBound(handlers: Handlers): void {
  const all = [...operations, ...besideOperations]
  const ids = new Set(all.map(({ id }) => id))
  for (const { id, isAvailable } of all) {
    const has = id in handlers
    if (has !== isAvailable) {
      throw new Error(
        has
          ? `${id} has a handler and is listed as not available.`
          : `${id} has neither a handler nor a place in the list of operations to come.`,
      )
    }
  }
  for (const id of Object.keys(handlers)) {
    if (!ids.has(id)) throw new Error(`The handler ${id} belongs to no operation.`)
  }
}

const notYet = (operation: { id: string }): Handler => ({
  operation,
  run: async () => {
    throw new Failure('LIQUIDITY_OPERATION_NOT_AVAILABLE')
  },
})

/** Loads handler and validators at the first request, and keeps them. */
export function bind(operation: OperationOutline, load: LoadHandler | undefined): Bound {
  let handler: Promise<Handler> | null = null
  let validators: Promise<RequestValidators> | null = null
  return {
    operation,
    handler: () => {
      handler ??= load
        ? load().then((module) => module.default)
        : Promise.resolve(notYet(operation))
      return handler
    },
    validators: () => {
      validators ??= import('./validators.ts').then(({ compileValidators }) =>
        compileValidators(operation.id),
      )
      return validators
    },
    readsRecordOf:
      operation.method === 'GET' && operation.answer.etag && operation.path.endsWith('/{id}')
        ? 'id'
        : null,
  }
}
