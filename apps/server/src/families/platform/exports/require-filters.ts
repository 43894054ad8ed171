import { Failure } from '../../../failure.ts'

/** Query fields of every view. */
const common: readonly string[] = ['as', 'bom', 'separator', 'decimal', 'organization']

/** @throws Failure 400 for a query field that the view does not have */
export function requireFilters(
  query: Readonly<Record<string, unknown>>,
  accepted: readonly string[],
): void {
  const unknown = Object.keys(query).filter((name) => ![...common, ...accepted].includes(name))
  if (unknown.length === 0) return
  const expected = accepted.length === 0 ? 'none' : accepted.join(', ')
  throw new Failure('LIQUIDITY_INVALID_REQUEST', {
    fieldErrors: Object.fromEntries(
      unknown.map((name) => [
        `query.${name}`,
        [`is no filter of this view; its filters are: ${expected}`],
      ]),
    ),
  })
}
