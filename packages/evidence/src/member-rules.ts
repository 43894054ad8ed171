import { isHash } from './hash.ts'

/** Who caused a record or an event. */
export interface Actor {
  readonly kind: 'SESSION' | 'API_KEY' | 'OAUTH_CLIENT' | 'SYSTEM'
  readonly id: string
}

/** Shape of an envelope member, and its description. */
export interface MemberRule {
  readonly member: string
  readonly expected: string
  readonly holds: (value: unknown) => boolean
}

const ACTOR_KINDS = new Set<unknown>(['SESSION', 'API_KEY', 'OAUTH_CLIENT', 'SYSTEM'])
const UTC_TIME = /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{1,9})?Z$/
const MAXIMUM_TEXT_LENGTH = 4096

export function textRule(member: string): MemberRule {
  return { member, expected: `a string of 1 to ${MAXIMUM_TEXT_LENGTH} characters`, holds: isText }
}

export function hashRule(member: string): MemberRule {
  return { member, expected: '0x and 64 lowercase hex digits', holds: isHash }
}

export function hashOrNullRule(member: string): MemberRule {
  const holds = (value: unknown): boolean => value === null || isHash(value)
  return { member, expected: 'null, or 0x and 64 lowercase hex digits', holds }
}

export function timeRule(member: string): MemberRule {
  const holds = (value: unknown): boolean => typeof value === 'string' && UTC_TIME.test(value)
  return { member, expected: 'a UTC time such as 2026-01-31T12:00:00.000Z', holds }
}

export function sequenceRule(member: string): MemberRule {
  const holds = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 1
  return { member, expected: 'an integer of at least 1', holds }
}

export function actorRule(member: string): MemberRule {
  const holds = (value: unknown): boolean =>
    isObjectOf(2, value) && ACTOR_KINDS.has(value.kind) && isText(value.id)
  return { member, expected: 'exactly an actor kind and an ID', holds }
}

export function hashSetRule(member: string): MemberRule {
  return { member, expected: 'unique content hashes in ascending order', holds: isHashSet }
}

export function subjectRule(member: string): MemberRule {
  const holds = (value: unknown): boolean =>
    isObjectOf(3, value) &&
    isText(value.id) &&
    isText(value.resourceType) &&
    isHash(value.resourceVersion)
  return { member, expected: 'exactly a resource type, an ID and a resource version', holds }
}

export function presentRule(member: string): MemberRule {
  return { member, expected: 'a value', holds: (value) => value !== undefined }
}

function isObjectOf(count: number, value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  return Object.keys(value).length === count
}

function isText(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    value.length > 0 &&
    value.length <= MAXIMUM_TEXT_LENGTH &&
    value.isWellFormed()
  )
}

function isHashSet(value: unknown): boolean {
  if (!Array.isArray(value)) return false
  return value.every((item, index) => isHash(item) && (index === 0 || value[index - 1] < item))
}
