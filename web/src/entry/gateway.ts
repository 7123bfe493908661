// Shown where a request does not reach its application. All of it is in the page already; this brings its styles.
import '../ui/base.css';
import '../ui/font/font.css';
import '../ui/button.css';
import '../features/maintenance/maintenance-page.css';
import './maintenance-foot.css';
