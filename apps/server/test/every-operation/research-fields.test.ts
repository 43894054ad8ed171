// @module-tag long
// @covers packages/contract/src apps/server/src/families/intelligence/agent-runs

import { afterAll, beforeAll, it } from 'vitest'
import { startWorkers } from '../../src/service.ts'
import { protocolOf, researched } from '../support/researching.ts'
import { newOrganization, startTestService } from '../support/service.ts'
import { type Researched, researchActs } from './research-acts.ts'
import { walkAct } from './standing.ts'

/** Changes every member of the requests about research that has ended; see `walkAct`. */
let world: Researched
beforeAll(async () => {
  const service = await startTestService()
  const workers = await startWorkers(service.services)
  const owner = await newOrganization(service)
  const run = await researched(owner, protocolOf())
  await workers.stop()
  world = { service, owner, run }
})
afterAll(() => world.service.stop())

it.each(Object.entries(researchActs))('%s acts on every member', (id, act) =>
  walkAct(id, act, world),
)
