export { treasurySettingsOf } from './current-settings.ts'
export { type ChangeNotice, mailMembers, noticeOfChange } from './waiting-notice.ts'
