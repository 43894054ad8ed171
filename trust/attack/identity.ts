import { basePath, permissionsOf } from '@liquidity-os/contract'
import { createSignInLink } from '../../apps/server/src/access/administration.ts'
import { sql } from '../../apps/server/src/store/database/sql.ts'
import { guarded, plainRequest } from '../../apps/server/test/every-operation/requests.ts'
import { basic, grant, issue } from '../../apps/server/test/support/credentials.ts'
import { newMember } from '../../apps/server/test/support/service.ts'
import { type Attack, inParallel, membersOf, ownOf, type Stage } from './attack.ts'
import { ask, refusedEverywhere } from './tenants.ts'

const invalid = { status: 401, code: 'LIQUIDITY_STUDIO_INVALID_SERVICE_CREDENTIAL' }
const scopeRequired = 'LIQUIDITY_STUDIO_SERVICE_SCOPE_REQUIRED'

/** The token of a link that signs the victim in, as the terminal makes it. */
async function linkFor(stage: Stage): Promise<string> {
  const { service, victim } = ownOf(stage)
  const [rows = []] = await service.database.global([
    sql`select email from users where id = ${victim.userId}`,
  ])
  const { link } = await createSignInLink(
    service.database,
    { email: rows[0]?.email ?? '', baseUrl: service.config.baseUrl },
    service.clock.read(),
  )
  return new URL(link).hash.slice(1)
}

function redeem({ baseUrl }: Stage, token: string, cookie = ''): Promise<Response> {
  return fetch(`${baseUrl}/auth/email-links/redeem`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie },
    body: JSON.stringify({ token }),
  })
}

/** The same with one character changed, at each of these places. */
function* spoiled(secret: string, step: number): Generator<string> {
  for (let place = 0; place < secret.length; place += step) {
    const other = secret[place] === 'A' ? 'B' : 'A'
    yield `${secret.slice(0, place)}${other}${secret.slice(place + 1)}`
  }
}

/** A token of an OAuth client of the attacker. */
async function accessToken(stage: Stage): Promise<string> {
  const { attacker } = ownOf(stage)
  const { credential, secret } = await issue(attacker, 'OAUTH_CLIENT', ['studies:read'])
  const answer = await fetch(`${stage.baseUrl}${basePath}/oauth/token`, {
    method: 'POST',
    body: grant,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-service-organization-id': attacker.organizationId,
      authorization: basic(credential.id, secret),
    },
  })
  return ((await answer.json()) as { access_token: string }).access_token
}

export const identityAttacks: readonly Attack[] = [
  {
    area: 'identity',
    name: 'a fixed session',
    needs: 'OWN_SERVICE',
    run: async (stage, tally) => {
      const { service, victim } = ownOf(stage)
      const chosen = 'F'.repeat(43)
      const cookie = `${service.config.sessionCookie}=${chosen}`
      const answer = await redeem(stage, await linkFor(stage), cookie)
      const cookies = answer.headers.getSetCookie().join()
      const isNew = answer.status === 200 && !cookies.includes(chosen)
      tally.note(`signed in ${answer.status}`, isNew ? null : 'the chosen session was kept')
      const options = {
        ...victim.options,
        auth: { ...victim.options.auth, cookie: chosen },
      } as never
      await refusedEverywhere(
        options,
        { status: 401, code: 'LIQUIDITY_AUTHENTICATION_REQUIRED' },
        tally,
        guarded.slice(0, 5),
      )
    },
  },
  {
    area: 'identity',
    name: 'a reused sign-in link',
    needs: 'OWN_SERVICE',
    run: async (stage, tally) => {
      const token = await linkFor(stage)
      const answers = await Promise.all(Array.from({ length: 20 }, () => redeem(stage, token)))
      answers.push(await redeem(stage, token))
      for (const { status } of answers) tally.note(String(status), null)
      const times = answers.filter(({ status }) => status === 200).length
      if (times !== 1) tally.breaches.push(`one link signed in ${times} times`)
    },
  },
  {
    area: 'identity',
    name: 'a token, a key and a session with one character changed',
    needs: 'OWN_SERVICE',
    run: async (stage, tally) => {
      const { attacker } = ownOf(stage)
      const key = (await issue(attacker, 'API_KEY', ['studies:read'])).secret
      const token = await accessToken(stage)
      const operation = guarded.find(({ id }) => id === 'listStudies')
      if (!operation) throw new Error('Operation listStudies does not exist.')
      const step = stage.isThorough ? 1 : 7
      const { organizationId } = attacker
      const bearers = [...spoiled(token, step), ...spoiled(key, step)].map((one) => ({
        baseUrl: stage.baseUrl,
        organizationId,
        auth: { kind: 'bearer' as const, token: one },
      }))
      const sessions = [...spoiled(attacker.cookie, step)].map((cookie) => ({
        ...attacker.options,
        auth: { ...attacker.options.auth, cookie } as never,
      }))
      await inParallel([...bearers, ...sessions], async (options) => {
        const { status, word } = await ask(options, operation, plainRequest(operation))
        tally.note(word, status === 401 ? null : `was answered ${word}`)
      })
    },
  },
  {
    area: 'identity',
    name: 'a key of one organization for another',
    needs: 'OWN_SERVICE',
    run: async (stage, tally) => {
      const { attacker, victim } = ownOf(stage)
      const token = (await issue(attacker, 'API_KEY', ['studies:read'])).secret
      const options = { baseUrl: stage.baseUrl, organizationId: victim.organizationId }
      await refusedEverywhere({ ...options, auth: { kind: 'bearer', token } }, invalid, tally)
    },
  },
  {
    area: 'identity',
    name: 'a key without the scope',
    needs: 'OWN_SERVICE',
    run: async (stage, tally) => {
      const { attacker } = ownOf(stage)
      const token = (await issue(attacker, 'API_KEY', ['vaults:read'])).secret
      const { organizationId } = attacker
      const others = guarded.filter(
        ({ auth }) =>
          auth.kind === 'session' || (auth.kind === 'scoped' && auth.scope !== 'vaults:read'),
      )
      await refusedEverywhere(
        { baseUrl: stage.baseUrl, organizationId, auth: { kind: 'bearer', token } },
        { status: 403, code: scopeRequired },
        tally,
        others,
      )
    },
  },
  {
    area: 'identity',
    name: 'a viewer who calls operations of other roles',
    needs: 'OWN_SERVICE',
    run: async (stage, tally) => {
      const { service, victim } = ownOf(stage)
      const viewer = await newMember(service, victim.organizationId, 'VIEWER')
      const others = guarded.filter(
        ({ permission }) => permission && !permissionsOf.VIEWER.includes(permission),
      )
      const refusal = { status: 403, code: 'LIQUIDITY_ROLE_REQUIRED' }
      await refusedEverywhere(viewer.options, refusal, tally, others)
    },
  },
  {
    area: 'identity',
    name: 'a cross-site request',
    needs: 'MEMBERS',
    run: async (stage, tally) => {
      const { victim } = membersOf(stage)
      await inParallel(
        guarded.filter(({ method }) => method !== 'GET'),
        async (operation) => {
          for (const origin of ['https://evil.example', 'null']) {
            const request = { ...plainRequest(operation), headers: { origin } }
            const { code, word } = await ask(victim.options, operation, request)
            const isHeld = code === 'LIQUIDITY_ORIGIN_NOT_ALLOWED'
            tally.note(word, isHeld ? null : `${operation.id} from ${origin} answered ${word}`)
          }
        },
      )
    },
  },
]
