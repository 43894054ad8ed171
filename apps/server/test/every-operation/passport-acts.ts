import { type PrivateKey, signPassport } from '@liquidity-os/evidence'
import {
  draft,
  flags,
  type PassportScene,
  type Payload,
  type Published,
  publishSigned,
  withReceipt,
} from '../support/passporting.ts'
import { callOperation } from '../support/requests.ts'
import type { Act, ActContext } from './scene-state.ts'

/** An organization with a published passport, under a policy, that may bear the brand of a partner. */
export interface Issuer extends ActContext, PassportScene {
  readonly partnerId: string
  readonly registryKey: PrivateKey
}

const reason = 'For the walk'
const slug = 'walked-dao'
const hash = `0x${'ab'.repeat(32)}`
const nowhere = (kind: string) => ({ id: `${kind}_${'0'.repeat(32)}`, resourceVersion: hash })

/** A payload that discloses everything this issuer may. */
export const fullDraft = (issuer: Issuer, named: object = {}) =>
  draft(issuer, { slug, shows: flags, brandPartnerId: issuer.partnerId, ...named })

/** Current passport version, which the next one supersedes. */
async function findVersion({ owner }: Issuer): Promise<string | undefined> {
  const { data } = await callOperation<Published['passport'][]>(owner, 'listPassports')
  return data[0]?.resourceVersion
}

interface Publication {
  readonly payload: Payload
  readonly reason: string
}

export const passportActs: Readonly<Record<string, Act<Issuer>>> = {
  publishLiquidityPassport: {
    stage: async (issuer) => {
      const { key, registryKey } = issuer
      const payload = await fullDraft(issuer)
      const { sourceBindings, reportBrand, incidentDetails } = payload
      const registered = await fullDraft(issuer, { resultsRegistryProviderId: 'results-registry' })
      const payloads = [
        payload,
        await withReceipt(issuer, registered, registryKey),
        // Rejected: the sources are not bound, no other manager exists, and the brand has no logo.
        {
          ...payload,
          sourceBindings: {
            ...sourceBindings,
            reconciliation: nowhere('reconciliation'),
            mandates: [nowhere('mandate')],
          },
        },
        {
          ...payload,
          externalManagerNames: ['A custodian'],
          incidentDetails: { ...incidentDetails, v1IncidentEvidenceHashes: [hash] },
        },
        { ...payload, reportBrand: { ...reportBrand, logoContentHash: hash } },
      ]
      const ifMatch = await findVersion(issuer)
      return {
        request: { ...(ifMatch ? { ifMatch } : {}) },
        bodies: payloads.map((one) => ({ payload: signPassport(one, key), reason })),
      }
    },
    /** Signs again, unless the test changed the hash or signature. */
    sent: (changed, staged, { key }) => {
      const [{ payload }, { payload: before }] = [changed, staged] as [Publication, Publication]
      const isOwn =
        payload.contentHash === before.contentHash && payload.signature === before.signature
      return isOwn ? { ...changed, payload: signPassport({ ...payload }, key) } : changed
    },
  },
  revokeLiquidityPassport: {
    stage: async (issuer) => {
      const ifMatch = await findVersion(issuer)
      const { data } = await publishSigned(issuer, await fullDraft(issuer), {
        ...(ifMatch ? { ifMatch } : {}),
      })
      const { id, resourceVersion, payload } = data.passport
      const { contentHash } = payload
      return {
        request: { params: { id } },
        bodies: [{ contentHash, code: 'CLAIM_WRONG', reason, resourceVersion }],
      }
    },
  },
}
