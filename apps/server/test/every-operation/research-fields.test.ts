// @module-tag long
// @covers packages/contract/src apps/server/src/families/intelligence/agent-runs

import { startWorkers } from '../../src/service.ts'
import { test } from '../support/fixtures.ts'
import { protocolOf, researched } from '../support/researching.ts'
import { researchActs } from './research-acts.ts'
import { walkAct } from './scene-state.ts'

/** Changes every member of the requests about research that has ended; see `walkAct`. */
const it = test.extend('world', { scope: 'file' }, async ({ service, owner }) => {
  const workers = await startWorkers(service.services)
  const run = await researched(owner, protocolOf())
  await workers.stop()
  return { service, owner, run }
})

it.for(Object.entries(researchActs))('%s acts on every member', ([id, act], { world }) =>
  walkAct(id, act, world),
)
