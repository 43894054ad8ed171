import { errorCatalogue } from './errors.ts'
import type { RecordFamily } from './family.ts'
import { responseOf } from './openapi.ts'
import { isDownload, type Operation } from './operation.ts'
import {
  apiVersion,
  basePath,
  extensionOperations,
  families,
  operations,
  recordFamilies,
} from './table.ts'

/** Prints the contract without its schemas: the file that `outline.ts` reads. */
export function printOutline(): string {
  const outline = {
    apiVersion,
    basePath,
    operations: operations.map(outlineOf),
    extensionOperations: extensionOperations.map(outlineOf),
    kinds: recordFamilies.map((family) => ({
      type: family.type,
      prefix: family.prefix,
      module: family.module,
      path: pathOfRecord(family),
    })),
    errorCatalogue,
  }
  return `${JSON.stringify(outline, null, 1)}\n`
}

function pathOfRecord({ operations: own }: RecordFamily): string | null {
  const reads = own.find(
    ({ method, path, response }) =>
      method === 'GET' &&
      /^[^{]+\/\{\w+\}$/.test(path) &&
      response?.wrap === 'data' &&
      response.etag,
  )
  return reads?.path ?? null
}

const moduleOf = new Map(
  families.flatMap(({ module, operations: own }) =>
    own.map((operation) => [operation, module] as const),
  ),
)

function outlineOf(operation: Operation) {
  const { summary, description, params, query, body, response, example, ...rest } = operation
  const { wrap, ...answer } = responseOf(operation)
  return {
    ...rest,
    hasBody: body !== undefined,
    answer: { wrap, etag: 'etag' in answer && answer.etag },
    ...(isForm(operation) ? { formMembers: Object.keys(membersOf(body)) } : {}),
    ...(isDownload(operation) ? { isDownload: true } : {}),
    module: moduleOf.get(operation) ?? null,
  }
}

const isForm = ({ bodyType }: Operation) => bodyType === 'application/x-www-form-urlencoded'

const membersOf = (body: Operation['body']) =>
  (body as { properties?: object } | undefined)?.properties ?? {}
