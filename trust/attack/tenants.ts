import { type ClientOptions, type LooseRequest, send } from '@liquidity-os/client'
import { type Operation, pathParameters, recordFamilies } from '@liquidity-os/contract'
import {
  guarded,
  parametersFor,
  plainRequest,
} from '../../apps/server/test/every-operation/requests.ts'
import { exampleOf } from '../fuzz/draft.ts'
import { faultsOf } from '../fuzz/judge.ts'
import { idsIn, Known } from '../fuzz/known.ts'
import { type Attack, inParallel, type Member, membersOf, type Tally } from './attack.ts'

/** Asks, and says what was answered in a word. */
export async function ask(member: ClientOptions, operation: Operation, request: LooseRequest) {
  const { fetch: _, ...options } = member
  const begun = performance.now()
  const answer = await send(options, operation, request)
  const text = await answer.text()
  const code: string = text.startsWith('{') ? (JSON.parse(text).error?.code ?? '') : ''
  const { status } = answer
  return {
    status,
    code,
    text,
    misfit: null,
    isReplayed: false,
    milliseconds: performance.now() - begun,
    word: `${status} ${code.replace(/^LIQUIDITY_/, '')}`.trim(),
  }
}

/** Asks every guarded operation; anything but this refusal is a breach. */
export async function refusedEverywhere(
  options: ClientOptions,
  { status, code }: { status: number; code: string },
  tally: Tally,
  requests: readonly Operation[] = guarded,
): Promise<void> {
  await inParallel(requests, async (operation) => {
    const answer = await ask(options, operation, plainRequest(operation))
    const isRefused = answer.status === status && answer.code === code
    tally.note(answer.word, isRefused ? null : `${operation.id} answered ${answer.word}`)
  })
}

/** What begins the ids of the records that an operation is about. */
const kinds = new Map(
  recordFamilies.flatMap(({ operations, prefix }) => operations.map(({ id }) => [id, prefix])),
)
const prefixOf = (id: string) => id.slice(0, id.lastIndexOf('_'))
/** Of the kinds that an operation is not about, one of so many is tried where not all are. */
const sampled = 50

/** What an organization is shown of itself by everything that is read without naming anything. */
async function knownOf(member: Member): Promise<Known> {
  const known = new Known()
  known.learn(JSON.stringify([member.organizationId]))
  const readings = guarded.filter(
    ({ method, path, response }) =>
      method === 'GET' && pathParameters(path).length === 0 && response?.wrap !== 'bytes',
  )
  await inParallel(readings, async (operation) => {
    const { status, text } = await ask(member.options, operation, plainRequest(operation))
    if (status < 300) known.learn(text)
  })
  return known
}

/** One id of every kind that an organization has. */
const oneOfEachKind = ({ ids }: Known) => [...new Map(ids.map((id) => [prefixOf(id), id])).values()]

export const tenantAttacks: readonly Attack[] = [
  {
    area: 'tenants',
    name: 'the id of another organization in the header',
    needs: 'MEMBERS',
    run: async (stage, tally) => {
      const { attacker, victim } = membersOf(stage)
      const options = { ...attacker.options, organizationId: victim.organizationId }
      const refusal = { status: 403, code: 'LIQUIDITY_ORGANIZATION_ACCESS_DENIED' }
      await refusedEverywhere(options, refusal, tally)
    },
  },
  {
    area: 'tenants',
    name: 'no session',
    needs: 'ADDRESS',
    run: async ({ baseUrl }, tally) => {
      const options = { baseUrl, organizationId: 'org_00000000000000000000000000000000' }
      const refusal = { status: 401, code: 'LIQUIDITY_AUTHENTICATION_REQUIRED' }
      await refusedEverywhere(options, refusal, tally)
    },
  },
  {
    area: 'tenants',
    name: 'records of another organization in the path',
    needs: 'MEMBERS',
    run: async (stage, tally) => {
      const { attacker, victim } = membersOf(stage)
      const ids = oneOfEachKind(await knownOf(victim))
      const tries = guarded
        .filter(({ path }) => pathParameters(path).includes('id'))
        .flatMap((operation, number) =>
          ids
            .filter(
              (id, place) =>
                stage.isThorough ||
                prefixOf(id) === kinds.get(operation.id) ||
                (number + place) % sampled === 0,
            )
            .map((id) => ({ operation, id })),
        )
      await inParallel(tries, async ({ operation, id }) => {
        const params = { ...parametersFor(operation), id }
        const answer = await ask(attacker.options, operation, {
          ...plainRequest(operation),
          params,
        })
        const isLeaked = idsIn(answer.text).some((one) => one !== id && ids.includes(one))
        const isHeld = answer.status >= 400 && answer.status < 500 && !isLeaked
        tally.note(answer.word, isHeld ? null : `${operation.id} of ${id} answered ${answer.word}`)
      })
    },
  },
  {
    area: 'tenants',
    name: 'ids of another organization in query and body',
    needs: 'MEMBERS',
    run: async (stage, tally) => {
      const { attacker, victim } = membersOf(stage)
      const [own, foreign] = [await knownOf(attacker), await knownOf(victim)]
      const isForeign = (id: string) => foreign.has(id) && !own.has(id)
      const tried = stage.isThorough ? guarded : guarded.filter((_, place) => place % 3 === 0)
      await inParallel(tried, async (operation) => {
        const request = exampleOf(operation, { own: foreign, foreign, isForeign })
        const isNamed = idsIn(JSON.stringify([request.query, request.body])).some(isForeign)
        if (!isNamed) return
        const answer = await ask(attacker.options, operation, request)
        const faults = faultsOf(operation, request, answer, { isForeign })
        const breach =
          faults.length > 0
            ? `${operation.id}: ${faults.map(({ kind, detail }) => `${kind} ${detail}`).join(', ')}`
            : null
        tally.note(answer.word, breach)
      })
    },
  },
]
