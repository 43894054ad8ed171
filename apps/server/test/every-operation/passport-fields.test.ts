// @module-tag long
// @covers packages/contract/src apps/server/src/families/prove/passports

import { generatePrivateKey } from '@liquidity-os/evidence'
import { afterAll, beforeAll, it } from 'vitest'
import { type PartnerWorld, startPartnerWorld } from '../support/partner-world.ts'
import { boundHost, configuration, consentTerms, type Partner } from '../support/partnering.ts'
import {
  type PassportScene,
  publishSigned,
  registerKey,
  startPassportScene,
  stopPassportScene,
} from '../support/passporting.ts'
import { newOrganization } from '../support/service.ts'
import { fullDraft, type Issuer, passportActs } from './passport-acts.ts'
import { done, walkAct } from './scene-state.ts'

const reason = 'For the walk'

/** A policy with every limit that a passport may show. */
const policyOf = ({ test, vault }: PassportScene) => ({
  vaultId: vault.id,
  level: 1,
  controlEpoch: vault.payload.controlEpoch,
  maximumAmountPerTransaction: '1000000',
  maximumDailyTurnover: '5000000',
  maximumSlippagePips: 5000,
  minimumSecondsBetweenActions: 3600,
  approvedContracts: [test.chain.contracts.positionManager],
  approvedAssets: [vault.payload.pair.base, vault.payload.pair.quote],
  approvedAdapterIds: ['erc20'],
  publicMempoolFallbackAllowed: false,
  oracleMaximumAgeSeconds: 300,
  expiresAt: '2026-06-01T00:00:00Z',
  minimumPriceX18: '1',
  maximumPriceX18: `${10n ** 30n}`,
})

/** Changes every member of the requests about a passport; see `walkAct`. */
let world: PartnerWorld
let issuer: Issuer
beforeAll(async () => {
  const host = 'walk.partner.test'
  world = await startPartnerWorld([host])
  const scene = await startPassportScene({
    ...world.environment,
    OUTBOUND_ALLOW: world.allowed.join(','),
  })
  const { service, owner, vault } = scene
  world.leadTo(service.baseUrl)
  const partnerOwner = await newOrganization(service)
  const bound = await boundHost(world, partnerOwner, host)
  const partner = await done<Partner>(
    partnerOwner,
    'createVerifiedPartnerTenant',
    configuration(bound),
  )
  await done(owner, 'grantPartnerConsent', consentTerms(scene, partner, [vault.id]))
  await done(owner, 'createAutonomyPolicies', { payload: policyOf(scene), reason })
  // The price is one, which is half of that.
  const { pair } = vault.payload
  const subject = { pair, asset: pair.base, pegX18: `${2n * 10n ** 18n}` }
  await done(owner, 'createAnomalies', {
    payload: { schemaVersion: 'anomaly-evaluation-v1', kind: 'STABLECOIN_DEPEG', subject },
    reason,
  })
  const registryKey = generatePrivateKey()
  await registerKey(service, owner, { kind: 'RESULTS_REGISTRY', key: registryKey })
  issuer = { ...scene, partnerId: partner.id, registryKey }
  await publishSigned(issuer, await fullDraft(issuer))
})
afterAll(async () => {
  await stopPassportScene(issuer)
  await world.stop()
})

it.each(Object.entries(passportActs))('%s acts on every member', (id, act) =>
  walkAct(id, act, issuer),
)
