import type { errorCatalogue as Catalogue } from './errors.ts'
import printed from './generated/outline.json' with { type: 'json' }
import type { Operation, Response } from './operation.ts'

/**
 * The contract without schemas, as needed before the first request. Generated from the contract; a
 * test checks that both agree. Loading it takes 1 % of the time for building all schemas.
 */
export interface OperationOutline
  extends Omit<
    Operation,
    'summary' | 'description' | 'params' | 'query' | 'body' | 'response' | 'example'
  > {
  /** True if it declares a body. */
  hasBody: boolean
  /** Names of the parameters, if the body is a form. */
  formMembers?: readonly string[]
  /** Wrapping of the success body, and whether it is one record with an ETag. */
  answer: { wrap: Response['wrap']; etag: boolean }
  /** True if the query can name the organization. */
  isDownload?: true
  /** Group and folder name; null until its family is declared. */
  module: string | null
}

export interface KindOutline {
  type: string
  prefix: string
  module: string
  /** Path of a record of this kind, with its one parameter; null if no operation reads one. */
  path: string | null
}

interface Outline {
  apiVersion: string
  basePath: string
  operations: readonly OperationOutline[]
  extensionOperations: readonly OperationOutline[]
  /** All kinds of versioned records. */
  kinds: readonly KindOutline[]
  errorCatalogue: typeof Catalogue
}

// The literal types of a JSON file are wider than those of the contract it was printed from.
export const { apiVersion, basePath, operations, extensionOperations, kinds, errorCatalogue } =
  printed as unknown as Outline
export type { ErrorCode, FieldErrors } from './errors.ts'
export * from './identity.ts'
export { takesBody } from './methods.ts'
export { isServedWhenFull } from './served-when-full.ts'
