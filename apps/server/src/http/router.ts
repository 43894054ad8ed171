import { limits } from '../limits.ts'
import { required } from '../required.ts'
import type { Route } from './route.ts'

export interface Match {
  route: Route
  params: Readonly<Record<string, string>>
}

/** A route, and the positions of its parameters in the path. */
interface RouteMatch {
  route: Route
  params: readonly Parameter[]
}

/** A segment that is a parameter, or starts with one: `{name}.svg`. */
interface Parameter {
  at: number
  name: string
  ending: string
}

interface PathNode {
  literals: Map<string, PathNode>
  parameter: PathNode | null
  placed: Map<string, RouteMatch>
  /** Routes whose last parameter begins here and can contain slashes. */
  tails: Map<string, RouteMatch>
}

const newPlace = (): PathNode => ({
  literals: new Map(),
  parameter: null,
  placed: new Map(),
  tails: new Map(),
})

/**
 * Finds a route by method and path in a tree of path segments. Literals take precedence over
 * parameters. Every GET route also serves HEAD.
 */
export class Router {
  readonly #root = newPlace()
  readonly #methods: readonly string[]

  constructor(routes: readonly Route[]) {
    for (const route of routes) this.#place(route)
    this.#methods = [...new Set([...routes.map(({ method }) => method), 'HEAD'])].sort()
  }

  #place(route: Route): void {
    const segments = route.path.slice(1).split('/')
    const place = segments.reduce(step, this.#root)
    if (place.placed.has(route.method)) {
      throw new Error(
        `${route.id} shares the route ${route.method} ${route.path} with another operation.`,
      )
    }
    const params = [...segments.entries()].flatMap(([at, segment]) => {
      const [, name, ending = ''] = /^\{(\w+)\}(.*)$/.exec(segment) ?? []
      return name === undefined ? [] : [{ at, name, ending }]
    })
    place.placed.set(route.method, { route, params })
    if (route.hasPathTail) place.tails.set(route.method, { route, params })
  }

  /** @param url path and query, as sent */
  find(method: string, url: string): Match | null {
    const segments = segmentsOf(url)
    if (segments === null) return null
    const placed = reach(this.#root, segments, 0, method === 'HEAD' ? 'GET' : method)
    return placed === null ? null : matched(placed, segments)
  }

  /** Methods of a path for the Allow header; empty for an unknown path. */
  methodsOf(url: string): string[] {
    return this.#methods.filter((method) => this.find(method, url) !== null)
  }
}

function step(place: PathNode, segment: string): PathNode {
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
  return path.startsWith('/') ? path.slice(1).split('/') : null
}

function reach(
  place: PathNode,
  segments: readonly string[],
  at: number,
  method: string,
): RouteMatch | null {
  const segment = segments[at]
  if (segment === undefined) return place.placed.get(method) ?? null
  const literal = place.literals.get(segment)
  const found = literal ? reach(literal, segments, at + 1, method) : null
  if (found || place.parameter === null || segment === '') return found
  return (
    reach(place.parameter, segments, at + 1, method) ?? place.parameter.tails.get(method) ?? null
  )
}

/**
 * Null if a parameter cannot be decoded, exceeds the ID length, or lacks the suffix of its path.
 */
function matched({ route, params: named }: RouteMatch, segments: readonly string[]): Match | null {
  const params: Record<string, string> = {}
  for (const { at, name, ending } of named) {
    const isTail = route.hasPathTail && at === named.at(-1)?.at
    const segment = isTail ? segments.slice(at).join('/') : segments[at]
    const value = decoded(required(segment, 'segment of the path'))
    if (value === null || value.length > limits.pathParameterCharacters) return null
    if (!value.endsWith(ending)) return null
    params[name] = value.slice(0, value.length - ending.length)
  }
  return { route, params }
}

function decoded(segment: string): string | null {
  if (!segment.includes('%')) return segment
  try {
    return decodeURIComponent(segment)
  } catch {
    return null
  }
}
