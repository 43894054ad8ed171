export { treasurySettingsOf } from './current-settings.ts'
export { type ChangeNotice, type Mail, mailMembers, noticeOfChange } from './waiting-notice.ts'
