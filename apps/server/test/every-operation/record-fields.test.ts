// @module-tag long
// @covers packages/contract/src apps/server/src/families/platform/records

import { afterAll, beforeAll, it } from 'vitest'
import { startTestChain, type TestChain } from '../support/chain.ts'
import { publicChain } from '../support/public-chain.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { walkScene } from './recorded.ts'
import { scenes } from './scenes.ts'

/**
 * Changes every member of the requests that write a record: the answer or what was recorded of it is another, or the
 * refusal names the member. What is only kept and never read is another matter, which the tests of each family show.
 */
let test: TestChain
let service: TestService
beforeAll(async () => {
  test = await startTestChain()
  service = await startTestService({
    ...publicChain(test),
    VENUE_INDEX_SECONDS: '60',
  })
})
afterAll(async () => {
  await service.stop()
  await test.chain.stop()
})

it.each(Object.entries(scenes))('%s records or refuses every member', (id, scene) =>
  walkScene(id, scene, { test, service }),
)
