// @module-tag long
// @covers packages/contract/src apps/server/src/families/prove/vaults apps/server/src/families/operate/proposals
// @covers apps/server/src/families/operate/autonomy-policies

import { afterAll, beforeAll, it } from 'vitest'
import { hostOf, startTestChain, type TestChain } from '../support/chain.ts'
import { catchUp } from '../support/custody.ts'
import { type PriceSource, startPriceSource } from '../support/price-source.ts'
import { type SafeServiceServer, startSafeService } from '../support/safe-service.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { walkScene } from './recorded.ts'
import { safeScenes } from './safe-scenes.ts'
import { vaultScenes } from './vault-scenes.ts'

/** Changes every member of the requests that are about the vault of a Safe; see `walkScene`. */
let source: PriceSource
let safeService: SafeServiceServer
let test: TestChain
let service: TestService
beforeAll(async () => {
  source = await startPriceSource()
  safeService = await startSafeService()
  test = await startTestChain()
  service = await startTestService({
    OUTBOUND_ALLOW: hostOf(test.chain.rpcUrl, source.url, safeService.url),
    FEED_PULL_SECONDS: '300',
  })
  await catchUp(test.chain, service)
})
afterAll(async () => {
  await service.stop()
  await source.stop()
  await safeService.stop()
  await test.chain.stop()
})

it.each(Object.entries({ ...vaultScenes(() => source), ...safeScenes(() => safeService) }))(
  '%s records or refuses every member',
  (id, scene) => walkScene(id, scene, { test, service }),
)
