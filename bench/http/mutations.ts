import { type LoadResult, runLoad } from './load.ts'
import { venueBody } from './workload.ts'

export const connections = 64

/** Start message of the product server. */
export interface ProductServer {
  port: number
  organizationId: string
  cookie: string
  origin: string
  /** Another organization of the same service. */
  neighbour: { organizationId: string; cookie: string }
}

export function productHeaders(server: ProductServer): Record<string, string> {
  return {
    'content-type': 'application/json',
    'x-service-organization-id': server.organizationId,
    cookie: server.cookie,
    origin: server.origin,
  }
}

const basePath = '/api/liquidity-studio/v2'

export function productUrl(server: ProductServer, path: string): string {
  return `http://127.0.0.1:${server.port}${basePath}${path}`
}

/** Creates venues in the product; every request is unique. */
export function mutateProduct(server: ProductServer, seconds: number): Promise<LoadResult> {
  return mutate(productUrl(server, '/venues'), productHeaders(server), seconds)
}

/** The same bodies, sent to a naive service. */
export function mutateNaive(port: number, seconds: number): Promise<LoadResult> {
  const headers = { 'content-type': 'application/json', 'x-service-organization-id': 'org_bench' }
  return mutate(`http://127.0.0.1:${port}/venues`, headers, seconds)
}

async function mutate(
  url: string,
  headers: Record<string, string>,
  seconds: number,
): Promise<LoadResult> {
  const result = await runLoad({ url, connections, seconds, headers, body: venueBody() })
  if (result.failures > 0) throw new Error(`${result.failures} requests to ${url} failed.`)
  return result
}
