// @module-tag long
// @covers packages/contract/src apps/server/src/families/platform/records

import { test } from '../support/fixtures.ts'
import { publicChain } from '../support/public-chain.ts'
import { walkScene } from './recorded.ts'
import { scenes } from './scenes.ts'

/**
 * Changes every member of the requests that write a record: the answer or what was recorded of it is another, or the
 * refusal names the member. What is only kept and never read is another matter, which the tests of each family show.
 */
const it = test.extend('settings', { scope: 'file' }, ({ testChain }) => ({
  ...publicChain(testChain),
  VENUE_INDEX_SECONDS: '60',
}))

it.for(Object.entries(scenes))(
  '%s records or refuses every member',
  ([id, scene], { service, testChain }) => walkScene(id, scene, { test: testChain, service }),
)
