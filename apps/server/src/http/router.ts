import { basePath, type OperationOutline, operations } from '@liquidity-os/contract/outline'
import { limits } from '../limits.ts'

/** An operation, and the path parameters with which it was asked for. */
export interface Match {
  operation: OperationOutline
  params: Readonly<Record<string, string>>
}

interface Place {
  literals: Map<string, Place>
  parameter: Place | null
  operations: Map<string, OperationOutline>
}

const newPlace = (): Place => ({ literals: new Map(), parameter: null, operations: new Map() })

/**
 * Finds the operations of the contract by method and path: a tree of path segments, in which a literal goes
 * before a parameter. It stands in the place of a route for each of them, which cost a third of the start.
 */
export class Router {
  readonly #root = newPlace()

  constructor(served: readonly OperationOutline[] = operations) {
    for (const operation of served) {
      let place = this.#root
      for (const segment of operation.path.slice(1).split('/')) place = step(place, segment)
      place.operations.set(operation.method, operation)
    }
  }

  /** @param url path and query, as sent */
  find(method: string, url: string): Match | null {
    const segments = segmentsOf(url)
    if (segments === null) return null
    const operation = reach(this.#root, segments, 0, method)
    return operation === null ? null : paramsOf(operation, segments)
  }

  /** The methods that the contract knows for a path, for the Allow header; empty for an unknown path. */
  methodsOf(url: string): string[] {
    const segments = segmentsOf(url)
    if (segments === null) return []
    return methods.filter((method) => reach(this.#root, segments, 0, method) !== null)
  }
}

const methods = [...new Set(operations.map(({ method }) => method))].sort()

function step(place: Place, segment: string): Place {
  if (segment.startsWith('{')) {
    place.parameter ??= newPlace()
    return place.parameter
  }
  const known = place.literals.get(segment)
  if (known) return known
  const next = newPlace()
  place.literals.set(segment, next)
  return next
}

function segmentsOf(url: string): string[] | null {
  const end = url.indexOf('?')
  const path = end < 0 ? url : url.slice(0, end)
  return path.startsWith(`${basePath}/`) ? path.slice(basePath.length + 1).split('/') : null
}

function reach(
  place: Place,
  segments: readonly string[],
  at: number,
  method: string,
): OperationOutline | null {
  const segment = segments[at]
  if (segment === undefined) return place.operations.get(method) ?? null
  const literal = place.literals.get(segment)
  const found = literal ? reach(literal, segments, at + 1, method) : null
  if (found || place.parameter === null || segment === '') return found
  return reach(place.parameter, segments, at + 1, method)
}

/** Null where a parameter cannot be decoded or is longer than any id. */
function paramsOf(operation: OperationOutline, segments: readonly string[]): Match | null {
  const params: Record<string, string> = {}
  for (const [at, name] of operation.path.slice(1).split('/').entries()) {
    if (!name.startsWith('{')) continue
    const value = decoded(segments[at] ?? '')
    if (value === null || value.length > limits.pathParameterCharacters) return null
    params[name.slice(1, -1)] = value
  }
  return { operation, params }
}

function decoded(segment: string): string | null {
  if (!segment.includes('%')) return segment
  try {
    return decodeURIComponent(segment)
  } catch {
    return null
  }
}
