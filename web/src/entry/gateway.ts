// Shown where a request does not reach its application. All of it is in the page already; this brings its styles.
import '../ui/base.css';
import '../ui/font/font.css';
import '../ui/button.css';
import '#features/maintenance/web/maintenance-page.css';
import './maintenance-foot.css';

/*
 * A form that was refused is still in the browser: it is sent again by loading this page again, and the page with the
 * form has it too. Both buttons need this script, and are hidden without it.
 */
function offer(id: string, act: () => void): void {
  const button = document.querySelector<HTMLButtonElement>(`#${id}`);
  if (button === null) return;
  button.hidden = false;
  button.addEventListener('click', () => {
    // Pressed twice, it would be sent twice.
    button.disabled = true;
    act();
  });
}

offer('send-again', () => window.location.reload());
offer('back', () => window.history.back());
