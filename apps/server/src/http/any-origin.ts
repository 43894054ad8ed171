import { basePath, type OperationOutline, operations } from '@liquidity-os/contract/outline'
import { daySeconds } from '../units.ts'
import { extraRoute, type Route } from './route.ts'

/** Routes that any origin may read; they need no credential and receive no credential. */
export const isForAnyOrigin = (path: string): boolean =>
  ['/public/projects/', '/public/discovery/', '/public/passports/', '/public/clear-signing'].some(
    (start) => path.startsWith(start),
  )

export const anyOrigin = { 'access-control-allow-origin': '*' } as const

const preflightRoute = ({ id, method, path }: OperationOutline): Route =>
  extraRoute({
    id: `${id}Preflight`,
    method: 'OPTIONS',
    path: basePath + path,
    answer: () => ({
      status: 204,
      headers: {
        ...anyOrigin,
        'access-control-allow-methods': method,
        'access-control-allow-headers': 'content-type',
        'access-control-max-age': String(daySeconds),
        'cache-control': 'no-store',
      },
      body: null,
    }),
  })

/**
 * A browser sends a preflight request before it sends JSON to another origin.
 *
 * @see Fetch standard, CORS-preflight fetch
 */
export const preflightRoutes: readonly Route[] = operations
  .filter(({ path }) => isForAnyOrigin(path))
  .map(preflightRoute)
