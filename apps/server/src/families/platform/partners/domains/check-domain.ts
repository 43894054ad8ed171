import { createHash, timingSafeEqual } from 'node:crypto'
import type { contract } from '@liquidity-os/contract'
import type { Config } from '../../../../config.ts'
import { Dns, type NameServer } from '../../../../integrations/dns/dns.ts'
import { limits } from '../../../../limits.ts'
import { makeUnknownName } from './challenge-text.ts'
import { combineAnswers } from './evaluate-answers.ts'

type Answer = contract.PartnerDomainAnswer
type Check = contract.PartnerDomainCheck
type Challenge = Pick<contract.PartnerDomainChallenge, 'host' | 'recordName' | 'recordValue'>

/** DNS query, equal for all servers. */
interface Question {
  readonly dns: Dns
  readonly name: string
  readonly value: string
  readonly probe: string
}

export const dnsOf = (config: Config): Dns =>
  new Dns({
    resolvers: config.dnsResolvers,
    serverPort: config.dnsServerPort,
    allow: config.outboundAllow,
  })

/**
 * Queries every authoritative server of the zone and every resolver of the deployment for the
 * record of a challenge.
 */
export async function checkDomain(
  config: Config,
  requested: Challenge,
  now: number,
): Promise<Check> {
  const dns = dnsOf(config)
  const { recordName: name, recordValue: value } = requested
  const question = { dns, name, value, probe: makeUnknownName(requested.host) }
  const { zone, servers } = await dns.authorities(name)
  const [direct, recursive] = await Promise.all([
    Promise.all(servers.map((server) => askDirectly(question, server))),
    Promise.all(dns.recursive.map((server) => askThrough(question, server))),
  ])
  const answers = [...direct, ...(await askAliases(question, direct)), ...recursive]
  return {
    at: new Date(now).toISOString(),
    verdict: combineAnswers(answers),
    zone,
    answers: answers.slice(0, 4 * limits.dnsServers),
  }
}

/** Follows one alias hop: queries each target name once, at the servers of its zone. */
async function askAliases(question: Question, direct: readonly Answer[]): Promise<Answer[]> {
  const names = new Set(direct.flatMap(({ alias }) => alias ?? []))
  const found = await Promise.all(
    [...names].map(async (name) => {
      const { servers } = await question.dns.authorities(name)
      return Promise.all(servers.map((server) => askDirectly({ ...question, name }, server, true)))
    }),
  )
  return found.flat()
}

/** @param isAlias true for the single permitted alias hop */
async function askDirectly(
  question: Question,
  server: NameServer,
  isAlias = false,
): Promise<Answer> {
  const { dns, name } = question
  if (!dns.mayAsk(server)) {
    const detail =
      server.address === null
        ? 'its name does not resolve to an address'
        : 'its address is not public'
    return answerOf(server, name, { outcome: 'NOT_ASKED', detail })
  }
  const alias = await dns.alias(server, name)
  if (alias.kind === 'SAID' && isAlias) {
    const detail = `an alias of an alias (${alias.value}) is not followed`
    return answerOf(server, name, { outcome: 'OTHER_VALUE', detail })
  }
  if (alias.kind === 'SAID') {
    const detail = `an alias of ${alias.value}`
    return answerOf(server, name, { outcome: 'ALIAS', alias: alias.value, detail })
  }
  return askThrough(question, server)
}

async function askThrough(
  { dns, name, value, probe }: Question,
  server: NameServer,
): Promise<Answer> {
  const stated = await dns.texts(server, name)
  if (stated.kind === 'SILENT') {
    return answerOf(server, name, { outcome: 'SILENT', detail: stated.detail })
  }
  if (stated.kind === 'NOTHING') {
    return answerOf(server, name, {
      outcome: 'ABSENT',
      detail: 'it has no TXT record at this name',
    })
  }
  const values = stated.value
  if (!values.some((one) => isSame(one, value))) {
    const detail = 'its TXT records do not contain the challenge value'
    return answerOf(server, name, { outcome: 'OTHER_VALUE', values, detail })
  }
  const anywhere = await dns.texts(server, probe)
  if (anywhere.kind === 'SAID' && anywhere.value.some((one) => isSame(one, value))) {
    const detail = 'it returns the value at every name (wildcard), so it proves no ownership'
    return answerOf(server, name, { outcome: 'WILDCARD', values, detail })
  }
  return answerOf(server, name, { outcome: 'PROVEN', values, detail: 'it has the exact value' })
}

function answerOf(
  { name: server, role, address }: NameServer,
  name: string,
  statement: Pick<Answer, 'outcome' | 'detail'> & Partial<Answer>,
): Answer {
  const { outcome, detail, values = [], alias = null } = statement
  const shown = values
    .slice(0, limits.dnsValues)
    .map((value) => value.slice(0, limits.dnsValueCharacters))
  return {
    server,
    address,
    role,
    name,
    outcome,
    values: shown,
    alias,
    detail: detail.slice(0, 300),
  }
}

/** Constant-time comparison, so that timing does not reveal the first difference. */
function isSame(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(one), digest(other))
}

export function answersInWords({ answers, verdict, zone }: Check): string[] {
  const statedValue = answers.map(
    ({ server, address, outcome, detail, values }) =>
      `${server}${address === null || address === server ? '' : ` (${address})`}: ${outcome}, ${detail}${values.length > 0 && outcome !== 'PROVEN' ? `: ${values.map((value) => JSON.stringify(value.slice(0, 120))).join(', ')}` : ''}`,
  )
  const opening = {
    PROVEN: 'proven',
    NOT_PROVEN: 'no server has the record',
    SPLIT: 'the servers disagree',
    UNANSWERED: 'no authoritative server responded',
  }[verdict]
  return [`${opening}; zone ${zone ?? 'not found'}`, ...statedValue]
}
