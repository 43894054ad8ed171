import {
  act,
  boundHost,
  type Challenge,
  challenge,
  configuration,
  type Partner,
  type PartnerScene,
} from '../support/partnering.ts'
import { callOperation } from '../support/requests.ts'
import type { TestMember } from '../support/service.ts'
import type { Scene } from './scene.ts'

const reason = 'For the walk'
const evidenceHashes = [`0x${'ab'.repeat(32)}`]
/** A picture of one pixel. */
const logo = {
  mediaType: 'image/png',
  base64:
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
}

const bodiesOf = (bound: Challenge) => {
  const brand = { name: 'Partner', accentColor: '#0f7b6c' }
  const of = (picture: object) =>
    configuration(bound, {
      privacyUrl: 'https://partner.test/privacy',
      offers: ['BRAND_ON_PASSPORT'],
      brand: { ...brand, logo: picture },
    })
  return [
    { ...of(logo), evidenceHashes },
    // Rejected: this image does not exist.
    of({ logoContentHash: evidenceHashes[0] }),
  ]
}

/** Requests about the host of a partner, in a world with name servers. */
export function hostScenes(world: () => PartnerScene): Readonly<Record<string, Scene>> {
  const nextHost = () => {
    const host = world().hosts.shift()
    if (host === undefined) throw new Error('The certificate names no further host.')
    return host
  }
  const bound = (owner: TestMember) => boundHost(world(), owner, nextHost())
  const issued = async (owner: TestMember) => {
    const host = nextHost()
    const { names } = world()
    names.zone(host)
    const { data } = await challenge(owner, host)
    names.publish(data.payload.recordName, data.payload.recordValue)
    return data
  }
  const on = ({ id, resourceVersion }: Challenge) => ({
    request: { params: { id } },
    bodies: [{ resourceVersion, reason }],
  })
  return {
    verifyPartnerDomainChallenge: async (owner) => on(await issued(owner)),
    provisionPartnerDomainChallenge: async (owner) => {
      const { data } = await act(owner, 'verify', await issued(owner))
      return on(data)
    },
    createVerifiedPartnerTenant: async (owner) => ({ bodies: bodiesOf(await bound(owner)) }),
    updatePartnerConfiguration: async (owner) => {
      const domain = await bound(owner)
      const made = await callOperation<Partner>(owner, 'createVerifiedPartnerTenant', {
        body: configuration(domain),
      })
      const { id, resourceVersion } = made.data
      return {
        request: { params: { id }, ifMatch: resourceVersion },
        bodies: bodiesOf(domain),
      }
    },
  }
}
