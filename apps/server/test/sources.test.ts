// @module-tag postgres

import { expect } from 'vitest'
import { currentSources } from '../src/families/sources.ts'
import { recordsOf } from './support/admissible.ts'
import { bookmarkBody, venueBody } from './support/bodies.ts'
import { it } from './support/fixtures.ts'
import { newOrganization, type TestMember, type TestService } from './support/service.ts'

const newVenue = async (by: TestMember, number: number) => {
  const { id, resourceType, resourceVersion } = (
    await by.client.createVenues({ body: venueBody(number) })
  ).body.data
  return { id, resourceType, resourceVersion }
}
const ask = (
  service: TestService,
  owner: TestMember,
  ...refs: Awaited<ReturnType<typeof newVenue>>[]
) =>
  currentSources(
    recordsOf(service, owner),
    refs.map((ref, index) => ({ ref, at: `sources.${index}` })),
  )

it('are found in the order in which they are named, of whatever kinds, also twice', async ({
  service,
  owner,
}) => {
  const venue = await newVenue(owner, 1)
  const { body } = await owner.client.savePlatformProject({ body: bookmarkBody(1) })
  const found = await ask(service, owner, venue, body.data, venue)
  expect(found.map(({ id }) => id)).toEqual([venue.id, body.data.id, venue.id])
  expect(await ask(service, owner)).toEqual([])
})

it('are refused where there is none of this organization, of this kind, or of a kind that is served', async ({
  service,
  owner,
}) => {
  const foreignOwner = await newOrganization(service)
  const [venue, foreign] = [await newVenue(owner, 2), await newVenue(foreignOwner, 2)]
  const none = { ...venue, id: `venue_${'0'.repeat(32)}` }
  const asOther = { ...venue, resourceType: 'PlatformProject' }
  const unserved = { ...venue, resourceType: 'NothingOfTheKind' }
  const builtIn = { ...venue, resourceType: 'constructor' }
  const refused = await ask(service, owner, venue, foreign, none, asOther, unserved, builtIn).catch(
    (error) => error,
  )
  expect(refused).toMatchObject({ code: 'LIQUIDITY_SOURCE_UNAVAILABLE', status: 404 })
  expect(Object.keys(refused.detail.fieldErrors)).toEqual(
    [1, 2, 3, 4, 5].map((itemIndex) => `sources.${itemIndex}`),
  )
})

it('are rejected for another version than the current one, which is named', async ({
  service,
  owner,
}) => {
  const before = await newVenue(owner, 3)
  const { body } = await owner.client.supersedeVenues({
    params: { id: before.id },
    ifMatch: before.resourceVersion,
    body: { payload: { tags: ['changed'] }, reason: 'For the test' },
  })
  const refused = await ask(service, owner, before).catch((error) => error)
  expect(refused).toMatchObject({ code: 'LIQUIDITY_SOURCE_VERSION_CHANGED', status: 412 })
  expect(refused.detail.fieldErrors['sources.0'][0]).toContain(body.data.resourceVersion)
})
