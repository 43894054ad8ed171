// @module-tag long
// @covers apps/server/bin

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { migratedDeployment, serve } from './support/processes.ts'

it('a service that is killed once it serves leaves its compiled code to the next start', async () => {
  const deployment = await migratedDeployment()
  const cache = join(deployment.directory, 'compiled')
  const environment = { ...deployment.environment, NODE_COMPILE_CACHE: cache }
  const service = await serve({ ...deployment, environment })
  await service.end('SIGKILL')
  const kept = readdirSync(cache, { recursive: true, withFileTypes: true })
  // A start loads some two hundred modules.
  expect(kept.filter((entry) => entry.isFile()).length).toBeGreaterThan(100)
})
