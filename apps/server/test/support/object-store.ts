import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from 's3rver'

export interface TestObjectStore {
  environment: Record<string, string>
  /** Received requests with their headers; the URL contains the object name. */
  requests: { method: string; url: string; headers: Record<string, string> }[]
  folder: string
  stop: () => Promise<void>
}

const bucket = 'liquidity-artifacts'
const key = 'S3RVER'

/**
 * An S3 server on a free port that stores objects in a folder. It knows one access key. It does not
 * verify version 4 signatures and does not enforce object lock.
 */
export async function startObjectStore(): Promise<TestObjectStore> {
  const folder = mkdtempSync(join(tmpdir(), 'liquidity-objects-'))
  const requests: TestObjectStore['requests'] = []
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory: folder,
    configureBuckets: [{ name: bucket, configs: [] }],
  })
  server.middleware.unshift(async (context, next) => {
    const { method, url, headers } = context.req
    requests.push({ method: method ?? '', url: url ?? '', headers: headers as never })
    await next()
  })
  const { port } = await server.run()
  return {
    environment: {
      OBJECT_STORE_URL: `http://127.0.0.1:${port}/${bucket}`,
      OBJECT_STORE_REGION: 'us-east-1',
      OBJECT_STORE_ACCESS_KEY: key,
      OBJECT_STORE_SECRET_KEY: key,
    },
    requests,
    folder: join(folder, bucket),
    stop: async () => {
      await server.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
