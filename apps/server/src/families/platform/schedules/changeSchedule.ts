import { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import { type HandlerRequest, handle, type Outcome } from '../../../http/handler.ts'
import { settingOf } from '../../../jobs/scheduled-subject.ts'
import { type Scheduled, underSetting } from '../../../jobs/schedules.ts'
import type { Version } from '../../../store/records/tenant-records.ts'
import { scheduleName, settings } from './records.ts'
import { schedulesById, scheduleView, unchangedVersion } from './schedule.ts'

type Request = HandlerRequest<typeof contract.changeSchedule>

export default handle(contract.changeSchedule, async (request): Promise<Outcome> => {
  const { params, body, records, services, actor, precondition, fail } = request
  if (body.state === undefined && body.everySeconds === undefined) {
    throw fail('LIQUIDITY_INVALID_REQUEST', {
      fieldErrors: { state: ['must be given unless everySeconds is given; got neither'] },
    })
  }
  const [schedules, holder] = await Promise.all([
    schedulesById(records, services),
    records.holder(scheduleName(params.id)),
  ])
  const scheduled = schedules.get(params.id)
  if (!scheduled) throw fail('LIQUIDITY_RESOURCE_NOT_FOUND')
  const current = holder === null ? null : await settings.current(records, holder)
  const version = current?.record.resourceVersion ?? unchangedVersion(params.id)
  if (precondition !== version) {
    throw fail('LIQUIDITY_PRECONDITION_FAILED', {
      message: `The resource is now at version ${version}, not ${precondition}.`,
    })
  }
  const next = nextOf(request, scheduled, current?.record ?? null)
  const { sealed, change } = current
    ? settings.next(records, current, next)
    : settings.first(records, next)
  const changed = underSetting(scheduled, settingOf(sealed.record), records)
  return { data: scheduleView(changed, actor), etag: sealed.resourceVersion, change }
})

function nextOf(
  { body }: Request,
  { task, subject }: Scheduled,
  current: VersionedRecord<contract.ScheduleSetting> | null,
): Version<contract.ScheduleSetting> {
  const before = current?.status ?? 'ACTIVE'
  const wanted = body.state === 'OFF' ? 'PAUSED' : 'ACTIVE'
  const status = body.state === undefined ? before : wanted
  const turned = status === 'PAUSED' ? 'schedule.turned_off' : 'schedule.turned_on'
  const previous = current?.payload.everySeconds ?? null
  const everySeconds = body.everySeconds === undefined ? previous : body.everySeconds
  return {
    status,
    payload: { task, subject: { ...subject }, everySeconds },
    reason: body.reason,
    event: status === before ? 'schedule.changed' : turned,
    eventPayload: { schedule: `${task}:${subject.id}`, everySeconds },
  }
}
