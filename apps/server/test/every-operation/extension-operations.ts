import { expect } from 'vitest'
import { addMember, createSignInLink } from '../../src/access/administration.ts'
import { verifyHistory } from '../../src/whole-history.ts'
import { newOrganization, type TestService } from '../support/service.ts'

/**
 * Actions outside the contract: a member is added, signs in by link and is removed, and the history
 * is verified.
 */
export async function passExtensionOperations(service: TestService): Promise<void> {
  const { baseUrl, config, services, database, clock } = service
  const owner = await newOrganization(service)
  const members = `/auth/organizations/${owner.organizationId}/members`
  const ask = async (method: string, path: string, body?: object, cookie = owner.cookie) => {
    const answer = await fetch(`${baseUrl}${path}`, {
      method,
      headers: {
        cookie: `${config.sessionCookie}=${cookie}`,
        origin: new URL(config.baseUrl).origin,
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    expect(answer.ok, `${method} ${path}: ${answer.status}`).toBe(true)
    return answer
  }
  const email = 'beside@example.org'
  const { organizationId } = owner
  await addMember(database, { organizationId, email, role: 'VIEWER' }, clock.read())
  const { link } = await createSignInLink(database, { email, ...config }, clock.read())
  const token = new URL(link).hash.slice(1)
  const redeemed = await ask('POST', '/auth/email-links/redeem', { token }, '')
  const [, cookie] = /^[^=]+=([^;]+)/.exec(redeemed.headers.getSetCookie()[0] ?? '') ?? []
  const session = await ask('GET', '/auth/session', undefined, cookie)
  expect(await session.json()).toMatchObject({ data: { email } })
  await ask('GET', members)
  await ask('POST', '/auth/logout', undefined, cookie)
  await ask('DELETE', `${members}/${email}`)
  expect((await verifyHistory(database, null, services.artifacts)).faults).toEqual([])
}
